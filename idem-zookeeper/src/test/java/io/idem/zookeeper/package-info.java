@NullMarked
package io.idem.zookeeper;

import org.jspecify.annotations.NullMarked;
