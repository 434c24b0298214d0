@NullMarked
package io.idem.gateway.internal.intake;

import org.jspecify.annotations.NullMarked;
