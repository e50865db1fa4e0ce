MemcpyHtoD,0x00007f59dd000000,4096
kernel-1.traceg
