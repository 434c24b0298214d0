@NullMarked
package io.idem.gateway.limits;

import org.jspecify.annotations.NullMarked;
