"""A database server in a container, for tests and developers: Db2 itself, or an image of the stand-in.

kinds           the differences between the two images
engine          the Docker engine: its availability, left-overs of killed runs
harness         one container from start to removal
guard           removes the container of a process that died without doing so
login           connection data, and a CONNECT of bounded time
standin_image   builds the image of the stand-in, without a registry
sample          tables with some load for an empty database
suite           the wire tests against a container
__main__        up, down, status, test
"""
