import numpy as np
class MHSA:
    def __init__(self,dim,heads=8,*,dtype=np.float64):
        self.dim=dim
        self.heads=heads
        self.w_qkv=(np.random.randn(dim,3*dim)/dim**0.5).astype(dtype)
        self.w_out=(np.random.randn(dim,dim)/dim**0.5).astype(dtype)
    def forward(self,x):
        b,n,_=x.shape
        qkv=(x@self.w_qkv).reshape(b,n,3,self.heads,self.dim//self.heads)
        q,k,v=np.transpose(qkv,(2,0,3,1,4))
        s=q@k.transpose(0,1,3,2)/np.sqrt(self.dim)
        s=np.exp(s-s.max(-1)[...,None])
        p=s/s.sum(-1)[...,None]
        return np.moveaxis(p@v,1,2).reshape(b,n,self.dim)@self.w_out
