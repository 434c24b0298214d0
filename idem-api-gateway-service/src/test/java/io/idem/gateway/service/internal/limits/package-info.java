@NullMarked
package io.idem.gateway.service.internal.limits;

import org.jspecify.annotations.NullMarked;
