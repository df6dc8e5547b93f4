! SPDX-License-Identifier: MIT
! attention() of include/attngrade.h, as a shared library:
!   gfortran -O2 -ffp-contract=off -fPIC -shared attention.f90 -o libattention.so
!   attngrade grade libattention.so
!
! The grader's arrays are row-major: what C calls q[b][h][i][c] is q(c, i, h, b)
! here, the indices in the opposite order. So a query is the contiguous column
! q(:, i, ...), and the weights are weights(j, i, ...): keys come first.
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
    type(c_ptr), value :: weights  ! may be null: then only the output is wanted
    integer(c_int) :: status
    real(c_double) :: w(shape%n_k, shape%n_q)
    real(c_double), pointer :: all_weights(:, :, :)
    integer(c_int64_t) :: b

    if (c_associated(weights)) then
      call c_f_pointer(weights, all_weights, [shape%n_k, shape%n_q, shape%heads * shape%batch])
    end if
    do b = 1, shape%heads * shape%batch
      w = softmax_of_columns(matmul(transpose(k(:, :, b)), q(:, :, b)) / sqrt(real(shape%d_k, c_double)))
      output(:, :, b) = matmul(v(:, :, b), w)
      if (c_associated(weights)) all_weights(:, :, b) = w
    end do
    status = 0
  end function

  ! Over the keys, which are the first index of scores(j, i).
  pure function softmax_of_columns(scores) result(w)
    real(c_double), intent(in) :: scores(:, :)
    real(c_double) :: w(size(scores, 1), size(scores, 2))
    integer :: i

    do i = 1, size(scores, 2)
      w(:, i) = exp(scores(:, i) - maxval(scores(:, i)))
      w(:, i) = w(:, i) / sum(w(:, i))
    end do
  end function

end module
