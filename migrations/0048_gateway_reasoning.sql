CREATE TABLE "gateway_reasoning" (
	"account_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"call_key" text NOT NULL,
	"reasoning" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gateway_reasoning_account_id_call_key_pk" PRIMARY KEY("account_id","call_key")
);
--> statement-breakpoint
ALTER TABLE "gateway_reasoning" ADD CONSTRAINT "gateway_reasoning_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gateway_reasoning_age" ON "gateway_reasoning" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "gateway_reasoning_user" ON "gateway_reasoning" USING btree ("user_id");