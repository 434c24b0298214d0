@NullMarked
package io.idem.gateway.autoconfigure;

import org.jspecify.annotations.NullMarked;
