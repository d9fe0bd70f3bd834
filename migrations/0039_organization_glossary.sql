ALTER TABLE "glossary_terms" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "stop_asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "glossary_terms" ADD COLUMN "organization_id" uuid;--> statement-breakpoint
ALTER TABLE "glossary_terms" ADD CONSTRAINT "glossary_terms_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "glossary_terms_organization" ON "glossary_terms" USING btree ("organization_id","target_lang",lower("term"));--> statement-breakpoint
ALTER TABLE "glossary_terms" ADD CONSTRAINT "glossary_terms_owner" CHECK (num_nonnulls("glossary_terms"."user_id", "glossary_terms"."organization_id") = 1);