/** The clients, whose operations are planned from a seed, and their own log of every request and reply. */
@NullMarked
package io.idem.demo.story;

import org.jspecify.annotations.NullMarked;
