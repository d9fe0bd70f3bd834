CREATE TABLE "gateway_responses" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"key_id" uuid NOT NULL,
	"previous_run_id" uuid,
	"request" text NOT NULL,
	"input" text NOT NULL,
	"answer" text,
	"chars" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gateway_responses" ADD CONSTRAINT "gateway_responses_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gateway_responses_key" ON "gateway_responses" USING btree ("key_id","created_at");--> statement-breakpoint
CREATE INDEX "gateway_responses_age" ON "gateway_responses" USING btree ("created_at");--> statement-breakpoint
-- Idempotency-Keys of the gateway belong to the API key that called, which the run names.
UPDATE "run_requests" SET "key" = 'gateway ' || runs.subject_id || substr("key", 8)
FROM "runs" WHERE runs.id = run_requests.subject_id AND run_requests.key LIKE 'gateway %';
