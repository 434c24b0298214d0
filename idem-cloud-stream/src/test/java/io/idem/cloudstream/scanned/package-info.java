@NullMarked
package io.idem.cloudstream.scanned;

import org.jspecify.annotations.NullMarked;
