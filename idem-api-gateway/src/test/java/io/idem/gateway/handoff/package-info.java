@NullMarked
package io.idem.gateway.handoff;

import org.jspecify.annotations.NullMarked;
