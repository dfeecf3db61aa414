# Serve:         docker run --init --read-only -v data:/data -v keys:/keys -p 8080:8080 whoflake
# Run the CLI:   docker run --rm -v data:/data -v keys:/keys whoflake ops status
#                or, in a running container: docker exec -it <container> ops status

# Debian rather than Alpine: this is all plain JavaScript, but Node's official builds are for glibc, and those for musl
# are experimental. Named once, and not by an ARG, which Dependabot does not update. By its digest, of all platforms:
# a tag can come to mean another image.
FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS base

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.base.json tsconfig.json tsconfig.web.json vite.config.ts ./
COPY scripts/wat-plugin.ts ./scripts/
COPY src ./src
# Into dist, with all packages inside.
RUN npx vite build && npx vite build --ssr

FROM base
WORKDIR /app
COPY package.json ./
COPY --from=build /app/dist ./dist
COPY bin ./bin
# What `ops version` says.
ARG COMMIT=
RUN echo "$COMMIT" > .commit
RUN ln -s bin/ops ops
RUN ln -s /app/bin/ops /usr/local/bin/ops
# New volumes inherit the owner and permissions of the folders they are mounted on.
RUN install -d -o node -g node -m 700 /data /keys
VOLUME ["/data", "/keys"]
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data KEYRING_FILE=/keys/keyring.json
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["ops", "healthcheck"]
# No shell in between, so signals get through. SIGUSR1 would open the debugger, which exposes every token. The other
# options save a third of the memory under load. After -- Node leaves --env-file to ops.
ENTRYPOINT ["node", "--disable-sigusr1", "--max-semi-space-size=2", "--v8-pool-size=1", "--"]
CMD ["bin/whoflake"]
