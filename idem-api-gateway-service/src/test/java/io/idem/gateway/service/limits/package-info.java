@NullMarked
package io.idem.gateway.service.limits;

import org.jspecify.annotations.NullMarked;
