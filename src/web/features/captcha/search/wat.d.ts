/** See scripts/wat-plugin.ts. */
declare module '*.wat' {
  /** In base64. */
  const module: string;
  export default module;
}
