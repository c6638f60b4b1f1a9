import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./app/features/*/schema.server.ts",
  out: "./db/migrations",
});
