# Serve:         docker run --init --read-only -v data:/data -v keys:/keys -p 8080:8080 whoflake
# Run the CLI:   docker run --rm -v data:/data -v keys:/keys whoflake ops status
#                or, in a container that serves already: docker exec -it <container> node ops status

# Debian and not Alpine: what runs here is plain JavaScript, but Node's own builds are for glibc, those for musl are
# experimental.
ARG NODE=node:24-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.base.json tsconfig.web.json vite.config.ts ./
COPY src ./src
# What the browser loads and what renders the pages is all in dist: of the web part nothing else is needed.
RUN npx vite build && npx vite build --ssr && rm -r src/web

FROM ${NODE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${NODE}
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/src ./src
COPY --from=build /app/dist ./dist
COPY bin ./bin
RUN ln -s bin/ops ops
# New volumes take over the owner and the rights of the folders they are mounted on.
RUN install -d -o node -g node -m 700 /data /keys
VOLUME ["/data", "/keys"]
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data KEYRING_FILE=/keys/keyring.json
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell in between, so that signals arrive. SIGUSR1 would open the debugger, and with it every token.
ENTRYPOINT ["node", "--disable-sigusr1"]
CMD ["bin/whoflake"]
