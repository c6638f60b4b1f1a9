import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: ["./db/schema.ts", "./app/features/**/schema.server.ts"],
  out: "./db/migrations",
});
