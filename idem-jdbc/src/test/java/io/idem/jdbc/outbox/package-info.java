@NullMarked
package io.idem.jdbc.outbox;

import org.jspecify.annotations.NullMarked;
