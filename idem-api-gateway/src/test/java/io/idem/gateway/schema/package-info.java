@NullMarked
package io.idem.gateway.schema;

import org.jspecify.annotations.NullMarked;
