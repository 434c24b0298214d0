@NullMarked
package io.idem.servers.qpid;

import org.jspecify.annotations.NullMarked;
