@NullMarked
package io.idem.servers.process;

import org.jspecify.annotations.NullMarked;
