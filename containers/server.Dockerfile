# The coordinator: API and dashboards, scheduler, intake, migrations. Build it from the repository's root:
#   docker build --file containers/server.Dockerfile --tag tabia-server:0.1.0 .

FROM python:3.11-slim-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
RUN python -m venv /opt/build && python -m venv --without-pip /opt/tabia
ENV PATH=/opt/build/bin:$PATH
COPY containers/build.lock containers/server.lock containers/
RUN pip install --no-cache-dir --require-hashes --requirement containers/build.lock \
 && pip --python /opt/tabia/bin/python install --no-cache-dir --require-hashes \
        --requirement containers/server.lock
COPY . .
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
 && pip --python /opt/tabia/bin/python install --no-cache-dir --no-deps /wheels/*.whl

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="Tabia coordinator" \
      org.opencontainers.image.licenses="AGPL-3.0-or-later"
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin tabia
COPY --from=build /opt/tabia /opt/tabia
ENV PATH=/opt/tabia/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER 10001:10001
EXPOSE 8000
CMD ["tabia", "serve", "web", "--bind", "0.0.0.0:8000"]
