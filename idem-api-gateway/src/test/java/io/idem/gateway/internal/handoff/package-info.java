@NullMarked
package io.idem.gateway.internal.handoff;

import org.jspecify.annotations.NullMarked;
