@NullMarked
package io.idem.cloudstream;

import org.jspecify.annotations.NullMarked;
