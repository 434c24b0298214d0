/**
 * Checks bodies against JSON Schemas, with bounded work for any body. Open
 * {@link io.idem.gateway.service.schema.JsonSchemaCheck} first.
 */
@NullMarked
package io.idem.gateway.service.schema;

import org.jspecify.annotations.NullMarked;
