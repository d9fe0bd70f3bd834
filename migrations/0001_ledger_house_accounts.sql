-- The other side of every entry (src/server/ledger/accounts.ts).
INSERT INTO "ledger_accounts" ("id", "house") VALUES
  ('00000000-0000-7000-8000-000000000001', 'grants'),
  ('00000000-0000-7000-8000-000000000002', 'income');
