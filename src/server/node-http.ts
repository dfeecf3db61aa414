/** To import `node:http` reads all that it exports, also what is made when first asked for: Node's own copy of undici, 13 MB. */
export const { Agent, createServer, get, request, STATUS_CODES } = process.getBuiltinModule('node:http');
