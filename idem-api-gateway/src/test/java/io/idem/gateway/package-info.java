@NullMarked
package io.idem.gateway;

import org.jspecify.annotations.NullMarked;
