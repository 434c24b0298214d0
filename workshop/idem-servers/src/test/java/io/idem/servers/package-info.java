@NullMarked
package io.idem.servers;

import org.jspecify.annotations.NullMarked;
