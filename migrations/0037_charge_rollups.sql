CREATE TABLE "charge_rollups" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"model" text NOT NULL,
	"platform" text NOT NULL,
	"channel" text NOT NULL,
	"budgets" uuid[] NOT NULL,
	"requests" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	CONSTRAINT "charge_rollups_sums" UNIQUE("account_id","day","kind","model","platform","channel","budgets")
);
--> statement-breakpoint
CREATE TABLE "charge_watermarks" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL
);
