"""Files from outside are read in processes of their own, which have limits and no network.

Decoders of images and PDF files and the engines of networks are native code: no process can be
protected from what they do inside of it. `worker` is such a process, `client` asks it, and
`shared_arrays` is how pixels come back without being copied.
"""
