@NullMarked
package io.idem.jdbc.inbox;

import org.jspecify.annotations.NullMarked;
