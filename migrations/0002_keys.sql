CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"value" text NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"provision_key_id" uuid,
	"strategy" text NOT NULL,
	"provider_sort" text NOT NULL,
	"auto_switch" boolean NOT NULL,
	"expired_at" timestamp with time zone,
	"allowed_models" jsonb,
	"allowed_addresses" jsonb,
	"requests_per_minute" integer,
	"tokens_per_minute" integer,
	CONSTRAINT "api_keys_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "key_audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"act" text NOT NULL,
	"api_key_id" uuid,
	"provision_key_id" uuid,
	"changes" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provision_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"value" text NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"max_credit_limit" bigint,
	"max_days" integer,
	"allowed_groups" jsonb,
	"allowed_models" jsonb,
	"max_keys" integer,
	CONSTRAINT "provision_keys_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_provision_key_id_provision_keys_id_fk" FOREIGN KEY ("provision_key_id") REFERENCES "public"."provision_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_audit" ADD CONSTRAINT "key_audit_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provision_keys" ADD CONSTRAINT "provision_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_owner" ON "api_keys" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_provision_key" ON "api_keys" USING btree ("provision_key_id");--> statement-breakpoint
CREATE INDEX "key_audit_owner" ON "key_audit" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "provision_keys_owner" ON "provision_keys" USING btree ("user_id","id");