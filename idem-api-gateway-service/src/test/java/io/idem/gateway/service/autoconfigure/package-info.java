@NullMarked
package io.idem.gateway.service.autoconfigure;

import org.jspecify.annotations.NullMarked;
