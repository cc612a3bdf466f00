// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::codec {

/// Reads one request from standard input, enters the sandbox that it asks for, and answers on standard output, as
/// io/codec_protocol.hpp says. Returns the exit status.
int serve();

/// Does so for one request after the other from the socket that is standard input, each in a fork of this process,
/// which spares linking the libraries each time. This process itself reads no byte of a request, so there is nothing of
/// one request that the next could meet: however one of them went, memory, sandbox and limits are fresh. Standard input
/// and output are shared, so who asks must see that they are empty before the next request (ChildProcess::beginNext()).
/// A byte on ChildProcess::kDoneFile follows each request that ended well, and no process of a request can write there;
/// after one that did not this process ends as that one did. Returns the exit status.
int serveRepeatedly();

}  // namespace warplens::codec
