ALTER TABLE "ledger_bills" ADD COLUMN "units" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_bills" ADD COLUMN "times" integer DEFAULT 1 NOT NULL;