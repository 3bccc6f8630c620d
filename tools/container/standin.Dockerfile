# The stand-in as an image. BASE holds a Python with the stand-in's packages (tools/container/standin_image.py).
ARG BASE
FROM ${BASE}

WORKDIR /db2tune
COPY . .
ENV PYTHONPATH=/db2tune:/packages PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1

EXPOSE 50000
USER 65534:65534
HEALTHCHECK --interval=500ms --timeout=3s --start-period=60s --retries=3 \
    CMD ["/usr/bin/python", "-c", "import socket; socket.create_connection(('127.0.0.1', 50000), 2).close()"]
ENTRYPOINT ["/usr/bin/python"]
CMD ["-m", "tests.standin", "--state", "fixtures/webshop.capture", "--host", "0.0.0.0", "--port", "50000"]
