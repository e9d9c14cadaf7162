/** Writes status records as JSON, and their schemas into the OpenAPI documents. Knows no record: each says its fields with {@code StatusField}. */
package io.iocluster.status.json;
