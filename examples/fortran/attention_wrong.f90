! SPDX-License-Identifier: MIT
! The fault: softmax over dim = 2, as in row-major numpy, where the last axis is
! that of the keys. Here the keys are the first index of scores(j, i), so this is
! over the queries; attngrade calls it softmax-over-queries.
!   gfortran -O2 -ffp-contract=off -fPIC -shared attention_wrong.f90 -o libattention_wrong.so
!   attngrade grade libattention_wrong.so
module attention_library
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: attention

  type, bind(c) :: attention_shape
    integer(c_int64_t) :: batch, heads, n_q, n_k, d_k, d_v
  end type

contains

  function attention(q, k, v, shape, output, weights) bind(c, name="attention") result(status)
    type(attention_shape), value :: shape
    real(c_double), intent(in) :: q(shape%d_k, shape%n_q, shape%heads * shape%batch)
    real(c_double), intent(in) :: k(shape%d_k, shape%n_k, shape%heads * shape%batch)
    real(c_double), intent(in) :: v(shape%d_v, shape%n_k, shape%heads * shape%batch)
    real(c_double), intent(out) :: output(shape%d_v, shape%n_q, shape%heads * shape%batch)
    type(c_ptr), value :: weights  ! left alone: they are found from the output
    integer(c_int) :: status
    real(c_double) :: w(shape%n_k, shape%n_q)
    integer(c_int64_t) :: b

    do b = 1, shape%heads * shape%batch
      w = matmul(transpose(k(:, :, b)), q(:, :, b)) / sqrt(real(shape%d_k, c_double))
      w = exp(w - spread(maxval(w, dim=2), 2, size(w, 2)))
      w = w / spread(sum(w, dim=2), 2, size(w, 2))
      output(:, :, b) = matmul(v(:, :, b), w)
    end do
    status = 0
  end function

end module
