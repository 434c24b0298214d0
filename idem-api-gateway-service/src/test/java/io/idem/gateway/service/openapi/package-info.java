@NullMarked
package io.idem.gateway.service.openapi;

import org.jspecify.annotations.NullMarked;
