@NullMarked
package io.idem.gateway.openapi;

import org.jspecify.annotations.NullMarked;
