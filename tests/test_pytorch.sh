#!/bin/sh
# Networks go out to other programs and come to the same answers there.  Skipped without PyTorch.
set -eu
banyan=$1/banyan
/usr/bin/python3 -c 'import torch, onnx' 2>/dev/null || {
    echo "SKIPPED: no PyTorch or no onnx here (Debian: python3-torch, python3-onnx)"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for net in channels=6,blocks=2,pool=2 channels=5,blocks=1,norm=none; do
    rm -rf "$folder/run"
    "$banyan" train tictactoe --run "$folder/run" --option generations=1,games=4,test= \
        --net "$net" >/dev/null 2>&1
    "$banyan" net export "$folder/run/best.safetensors" "$folder/net.onnx"
    tools/pytorch-net onnx "$folder/net.onnx" "$folder/run/best.safetensors"
    tools/pytorch-net copy "$folder/run/best.safetensors" "$folder/copy"
    tools/pytorch-net show "$folder/copy" >/dev/null
done
arch=planes=2,height=4,width=5,actions=151,channels=6,blocks=2,policy-head=pairs,policy-channels=3
"$banyan" net export tests/data/nn/pairs.safetensors "$folder/net.onnx" \
    --arch "$arch,value-channels=2,value-hidden=7"
tools/pytorch-net onnx "$folder/net.onnx" tests/data/nn/pairs.safetensors
