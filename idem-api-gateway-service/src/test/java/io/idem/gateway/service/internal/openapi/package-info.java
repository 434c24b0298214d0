@NullMarked
package io.idem.gateway.service.internal.openapi;

import org.jspecify.annotations.NullMarked;
