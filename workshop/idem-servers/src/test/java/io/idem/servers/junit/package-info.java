@NullMarked
package io.idem.servers.junit;

import org.jspecify.annotations.NullMarked;
