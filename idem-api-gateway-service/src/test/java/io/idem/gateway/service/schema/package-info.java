@NullMarked
package io.idem.gateway.service.schema;

import org.jspecify.annotations.NullMarked;
