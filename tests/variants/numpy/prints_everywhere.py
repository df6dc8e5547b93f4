import numpy as np
np.set_printoptions(precision = 3)
print("START!!!")

def softmax(x):
    # print(x)
    return np.exp(x-np.max(x,axis=-1,keepdims=True)) / np.sum(np.exp(x-np.max(x,axis=-1,keepdims=True)),axis=-1,keepdims=True)

def attention(q,k,v):
    print('q',q.shape); print('k',k.shape)
    dk=k.shape[-1]
    s=q@np.swapaxes(k,-1,-2)
    #s=s/np.sqrt(dk)
    s=s/dk
    print("scores done", s.shape)
    a=softmax(s)
    o=a@v
    print("ok")
    return o

q=np.random.rand(3,4)
k=np.random.rand(5,4)
v=np.random.rand(5,2)
res=attention(q,k,v)
print(res)
print("it works")
