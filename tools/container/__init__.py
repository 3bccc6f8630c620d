"""A database server in a container, for tests and developers: Db2 itself, or an image that holds the stand-in.

kinds           what differs between the two images
engine          the Docker engine: reachable or why not, left-overs of killed runs
harness         one container from start to removal
guard           removes the container of a process that died without doing so
login           how to connect, and a CONNECT of bounded time
standin_image   builds the image that holds the stand-in, without a registry
sample          tables with some load on a database that has none
suite           the wire tests against a container
__main__        up, down, status, test
"""
