/** Checks bodies against JSON Schemas, within bounds that no body can exceed. */
@NullMarked
package io.idem.gateway.service.schema;

import org.jspecify.annotations.NullMarked;
