@NullMarked
package io.idem.servers.proxy;

import org.jspecify.annotations.NullMarked;
