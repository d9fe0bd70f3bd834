CREATE TABLE "ledger_given" (
	"day" text PRIMARY KEY NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signup_gifts" (
	"identity_hash" text PRIMARY KEY NOT NULL,
	"given_at" timestamp with time zone DEFAULT now() NOT NULL
);
